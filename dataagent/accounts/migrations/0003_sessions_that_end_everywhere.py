from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0002_sign_in_attempts'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='times_ended',
            field=models.PositiveIntegerField(default=0),
        ),
    ]
